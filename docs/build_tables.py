"""The page of methods and the reference, made of the registry and the tags: python docs/build_tables.py."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

from fewer import registry
from fewer.cli.docs import described, plain_math
from fewer.core.records.target_kinds import KINDS, TargetKind, in_words
from fewer.dispatch import CONTRACTS, Contract

PAGE = Path(__file__).with_name("methods.md")

# Formulas side by side, in the notation of the page. A method that is not listed shows the first of its docstring.
FORMULAS = {
    "MAC": "B(i, f) = Σₓ p(xᵢf = x | D) Σⱼ (ĝⱼ(D, xᵢf = x) − ĝⱼ(D))²",
    "RandomAcquisition": "any missing value, each equally likely",
    "Kmers": "number of places where a word of k letters begins",
    "Conjunctions": "Π [letter at position], k letters at different positions",
    "FloatingConjunctions": "number of places i with s(i + oₜ) = wₜ for all t",
    "FGA": "per level the best by IG, χ² or Σ P(c) |MI(f, c)|; then elimination by w² of C-modified least squares",
    "WeightMatrix": "Σᵢ ln p⁺ᵢ(sᵢ) / p⁻ᵢ(sᵢ)",
    "WeightArray": "p₁(s₁) Π p(sᵢ | sᵢ₋₁) per class",
    "MDD": "a split at the position i with the largest Σⱼ χ²(Kᵢ, sⱼ), weight matrices in the leaves",
    "CMLS": "min (1/M) Σ max(0, 1 − y w·x)² + λ |w|²",
    "CLIQUE": "clusters of units with n(unit) / N > τ that share faces, in every subspace",
    "ENCLUS": "subspaces with H(S) < ω and Σ H(f) − H(S) > ε",
    "PROCLUS": "medoids i with the columns of smallest (Xᵢⱼ − mean) / deviation, Xᵢⱼ the mean |xⱼ − mᵢⱼ| around i",
    "COSA": "wᵢ(f) ∝ exp(−Sᵢ(f) / λ), Sᵢ(f) the mean |xᵢ − xⱼ| / s(f) over the nearest rows",
    "ScoreSelector": "any score of this family by name, or a function score(X, y)",
    "InformationGain": "I(F; Y) = Σⱼ Σ_c p(j, c) ln [ p(j, c) / (p(j) p(c)) ]",
    "GainRatio": "I(F; Y) / H(F)",
    "DistanceGain": "I(F; Y) / H(F, Y)",
    "SymmetricalUncertainty": "2 I(F; Y) / (H(F) + H(Y))",
    "GiniGain": "Σⱼ p(j) Σ_c p(c | j)² − Σ_c p(c)²",
    "MDLScore": "(code length of the classes − code length of the classes at each level) / N",
    "MyopicRelief": "P(equal values | same class) − P(equal values | different classes)",
    "Chi2": "Σⱼ Σ_c (n(j, c) − e(j, c))² / e(j, c), e(j, c) = N p(j) p(c)",
    "VarianceReduction": "s² − Σⱼ p(j) sⱼ²",
    "FTest": "[ Σ_c n_c (m_c − m)² / (C − 1) ] / [ Σ_c n_c v_c / (N − C) ]",
    "TTest": "|m₁ − m₀| / √( v (1/n₁ + 1/n₀) ), v pooled",
    "WelchTest": "|m₁ − m₀| / √( v₁/n₁ + v₀/n₀ )",
    "SignalToNoise": "|m₁ − m₀| / (√v₁ + √v₀)",
    "FisherScore": "Σ_c n_c (m_c − m)² / Σ_c n_c v_c",
    "Pearson": "|cov(F, Y)| / (s_F s_Y)",
    "Spearman": "|Pearson's correlation of the ranks|",
    "Kendall": "|concordant − discordant pairs| / √(pairs untied in F × pairs untied in Y)",
    "RankSum": "|z| of the rank sum of one class",
    "KruskalWallis": "H = 12 / (N (N + 1)) Σ_c R_c² / n_c − 3 (N + 1), corrected for ties",
    "FeatureAUC": "max(A, 1 − A), A = U / (n₁ n₀)",
    "ChatterjeeXi": "1 − n Σ |r(i+1) − r(i)| / (2 Σ l(i) (n − l(i))), rows in the order of F",
    "InformationValue": "Σⱼ (p(j | second class) − p(j | first)) ln [ p(j | second class) / p(j | first) ]",
    "NeighborMutualInformation": "ψ(n) + ψ(k) − mean [ ψ(n_F + 1) + ψ(n_Y + 1) ]",
    "DistanceCorrelation": "√( dCov²(F, Y) / √(dCov²(F, F) dCov²(Y, Y)) )",
    "HSIC": "tr(K H L H) / n², Gaussian kernels",
    "PopulationStability": "−Σⱼ (a(j) − e(j)) ln [ a(j) / e(j) ], reference e, now a",
    "CorrelationFilter": "1 − the largest |r|, V or SU with a column that was kept before",
    "CoxScore": "|Σ (x − x̄(t))| / √Σ s²(t) over the events",
    "LogRank": "|Σ (d₁ − d n₁/n)| / √Σ d (n₁/n)(1 − n₁/n)(n − d)/(n − 1)",
    "Concordance": "max(C, 1 − C), C of pairs whose order in time is known",
    "MixtureOverlap": "½ − ∫ min(w₀ f₀, w₁ f₁)",
    "RandomRanking": "a random number; looks at nothing",
    "MIM": "I(f; y)",
    "MIFS": "I(f; y) − β Σ_s I(f; s)",
    "MRMR": "I(f; y) − mean_s I(f; s), or the quotient",
    "CIFE": "I(f; y) − Σ_s [ I(f; s) − I(f; s | y) ]",
    "ICAP": "I(f; y) − Σ_s max(0, I(f; s) − I(f; s | y))",
    "JMI": "mean_s I(f, s; y)",
    "JMI3": "mean_{s,t} I(f, s, t; y)",
    "DISR": "mean_s I(f, s; y) / H(f, s, y)",
    "CMIM": "min_s I(f; y | s)",
    "CMIGreedy": "I(f; y | S)",
    "JMIM": "min_s I(f, s; y)",
    "NJMIM": "min_s I(f, s; y) / H(f, s, y)",
    "JIM": "mean_s G(f, s; y)",
    "GaussianMRMR": "−½ ln(1 − η²) − mean_s [ −½ ln(1 − r(f, s)²) ], or with F and |r|",
    "FCBF": "drop f if SU(f, s) ≥ SU(f, y) for a better kept s",
    "RBF": "drop f if SU(s, y) ≥ SU((f, s), y) for a better kept s",
    "CFS": "k mean SU(f, y) / √(k + k (k − 1) mean SU(f, f′))",
    "Consistency": "fraction of rows outside the majority class of their pattern",
    "MarkovBlanketFilter": "Δ = I(f; y | M), M the k features most like f; drop the smallest",
    "InformationBlanketOrder": "I(f; y), then Δ = I(f; y | M) among the best",
    "SPERanker": "max over powers j ≤ degree of r(fʲ, y)², less what others span",
    "GramSchmidtRanker": "cos²(f, y) outside the span of the chosen features, their powers or products",
    "RankOrderElimination": "drop the feature that spoils most orders, or keeps the class centres, or the divergence",
    "BooleanOrder": "b(i, j) = [f_i < f_j] for every pair i < j",
    "RankOrderNB": "Π over pairs of P(f < f′ | class)",
    "Machete": "rᵢ² ∝ Σⱼ (P(j) − P(j | xᵢ = zᵢ))²; cut along the largest until K rows are left",
    "Scythe": "keep the smallest Σᵢ rᵢ² (xᵢ − zᵢ)², again and again, until K rows are left",
    "DANN": "D = (x − z)ᵀ (W⁻¹ B W⁻¹ + ε W⁻¹) (x − z), W and B around z",
    "SubDANN": "DANN on the leading eigenvectors of the mean of all local B",
    "ADAMENN": "wᵢ ∝ exp(c (max r − rᵢ)), rᵢ = mean of Σⱼ (P(j | z) − P(j | xᵢ = zᵢ))² / P(j | xᵢ = zᵢ)",
    "LaMaNNa": "wⱼ ∝ exp(A |∂f/∂xⱼ|) at the nearest point of the border f = 0",
    "KendallKNN": "number of pairs of features in different order",
    "Relief": "P(f differs | nearest miss) − P(f differs | nearest hit)",
    "ReliefF": "Σ over classes c of p_c / (1 − p) mean |f − f(k misses of c)| − mean |f − f(k hits)|",
    "RReliefF": "P(f differs | near, y differs) − P(f differs | near, y equal)",
    "ReliefRatio": "mean |f − f(k misses)| / mean |f − f(k hits)|",
    "GSRelief": "the ratio of ReliefRatio outside the span of the chosen features",
    "SURF": "as ReliefF, over all rows nearer than the mean distance",
    "SURFStar": "as SURF, less the same over all rows farther than that",
    "MultiSURF": "as SURF, nearer than each row's mean distance less half its deviation",
    "MultiSURFStar": "as MultiSURF, less the same beyond the mean and half the deviation",
    "Simba": "w ← w + ½ (z_m² / |z_m|_w − z_h² / |z_h|_w) w, row by row",
    "IRelief": "ν = Σ_n γ_n (E|x_n − miss| − E|x_n − hit|), w = ν⁺ / |ν⁺| until it stays",
    "OnlineIRelief": "ν ← ν + (π_n − ν) / (a T), w = ν⁺ / |ν⁺|",
    "OrdEval": "|P(y moves with f | f changes) − P(y moves against f | f changes)| between near rows",
    "ReliefKNN": "vote of the nearest by Σ max(W, 0) |x − x′|, W of ReliefF",
    "ReliefKNNRegressor": "mean of the nearest by Σ max(W, 0) |x − x′|, W of RReliefF",
    "ReliefTree": "split argmax W of ReliefF in every node, at its best boundary or level by the same pairs",
    "ReliefTreeRegressor": "split argmax W of RReliefF in every node, at its best boundary or level by the same pairs",
    "ReliefConstructs": "f=a ∧ g=b, f=a ∨ g=b, f + g, f · g of largest W, all by the same pairs of near rows",
    "LiteralRelief": "mean over positives x of P(L(x) ∧ ¬L(near miss)) − P(L(x) ≠ L(near hit))",
    "OReliefF": "d(NM−) − d(NH−) + d(NM+) − d(NH+)",
    "OSimba": "max Σ ½ (|x − NM|_w − |x − NH|_w), both sides",
    "RankMutualInformation": "−mean ln(|A| |B| / (n |A ∩ B|))",
    "MonotoneTree": "the cut of largest rank mutual information, again and again",
    "SequentialSelector": "add argmax_f J(S + f), or remove argmax_f J(S − f), step by step",
    "FloatingSelector": "forward, then back while J(S − f) beats the best of its size",
    "BestFirstSelector": "expand the open subset of largest J",
    "ExhaustiveSelector": "max over all S of J(S)",
    "BranchAndBoundSelector": "max over |S| = k of J(S), J monotone: cut S if J(S) ≤ best",
    "HillClimbingSelector": "to the best neighbour S ± f while J rises",
    "AnnealingSelector": "to a random neighbour with probability min(1, exp(ΔJ / T))",
    "RMHCSelector": "flip a random f, keep it if J rises",
    "GeneticSelector": "select, cross and mutate subsets by J",
    "DependenceTreeSelector": "draw S from the Chow-Liu tree of the best subsets",
    "EBNASelector": "draw S from a Bayesian network of the better half",
    "LVF": "smallest random S with 1 − inconsistency(S) ≥ that of all",
    "LVW": "random S, larger J or equal J with fewer features",
    "RVE": "remove k* random features, k* = argmin M(n − k) / p(n, r, k) + I(n − k)",
    "RVErS": "RVE with a binary search for r",
    "FromModel": "feature_importances_ or |coef_|, or score − score with f permuted, or without f, on held-out rows",
    "Winnow": "w ← w exp(η x y) on every mistake; |w⁺ − w⁻|, w, or |θ| w",
    "SpikeSlab": "P(z = 1 | data), η = θ₀ + Σ z θ x, z ~ Bernoulli(p), θ ~ N(0, slab)",
    "VotingGibbs": "P(z = 1 | data), |z| uniform on 0..n, then any set of that size",
    "SphericalKMeans": "max Σᵢ xᵢ·μ(yᵢ), |xᵢ| = |μ| = 1; f by its share of Σ_k l_k (μ_kf − μ_f)²",
    "InformationCoClustering": "min I(X; Y) − I(X̂; Ŷ); f by its share of Σ_k p(k, f) ln [ p(k, f) / (p(k) p(f)) ]",
    "BregmanCoClustering": "min Σ d(z_ij, ẑ_ij), ẑ a mean of the block; f by its share of Σ_k n_k d(mean_k f, mean f)",
    "CLICK": "cut / vol(A) + cut / vol(B) on few features; these by I(f; clusters) and blankets; in turn",
    "PCSKMeans": "as SphericalKMeans, pairs together by (xᵢ + xⱼ)·μ, pairs apart by max xᵢ·μ_k + xⱼ·μ_l, k ≠ l",
    "ConstrainedCoClustering": "as InformationCoClustering, rows together merged; apart: the farther by KL moves",
    "WKMeans": "wⱼ = 1 / Σ_t (Dⱼ / D_t)^(1/(β−1)), Dⱼ = Σ_l Σ_i d(x_ij, z_lj)",
    "WKMeansSelector": "mean of wⱼ over runs of W-k-means, each by 1 / objective",
    "SubspaceKMeans": "w_lj = 1 / Σ_t (D_lj / D_lt)^(1/(β−1)), D_lj = Σ_i [(x_ij − z_lj)² + σ]",
    "EWKMeans": "w_lj ∝ exp(−D_lj / γ)",
    "SYNCLUS": "min Σ_{i,i′} (δ − a Σⱼ wⱼ (x_ij − x_i′j)² − c)², w ≥ 0",
    "OptimalWeights": "min Σ_l Σ_{i,i′ ∈ l} Σⱼ wⱼ (x_ij − x_i′j)² / n_l, a few conjugate steps",
    "ConvexKMeans": "min over a grid of Π_b Γ_b / Λ_b, within by between",
    "PlainKMeans": "min Σ_l Σ_{i ∈ l} ‖x_i − μ_l‖²",
    "RFE": "drop the smallest Σ_c w_c(f)², or another importance, and fit again",
    "OrderedFS": "smallest k of the best (or within one s.e.) cross-validated score of the first k of a ranking",
    "BIRS": "down the ranking: f joins if J(S + f) is significantly better than J(S)",
    "RankSearch": "max over k of J(first k of a ranking)",
    "DefaultRecipe": "order by relevance − redundancy; argmax over k of the folds' mean score of two models",
    "PermutationTest": "p = (1 + #{null ≥ VI(f)}) / (1 + n), VI with y permuted; or z of the trees' losses out of bag",
    "Shadow": "P(B(n, ½) ≥ hits), hit = VI(f) > max VI(shuffled copies), over n rounds",
    "StabilitySelection": "fraction of random halves whose selection of q holds f, ≥ τ with E[V] ≤ q² / ((2τ − 1) d)",
    "RankAggregation": "mean over lists of the fraction of others ranked after f; or median, Kemeny, min_k P(B ≤ r₍ₖ₎)",
    "FeatureVoting": "Σᵢ eᵢⱼ aᵢ / Fᵢ over pipelines i: accuracy a, F features, e = 1 if f is among them",
    "MC1": "argmax over random P of acc(P), acc(P) = fraction of rows with the class of the nearest of P",
    "RMHCPrototypes": "flip a random bit of (P, S), keep it if acc(P, S) rises",
    "L1SVM": "w(f) ≠ 0 in min Σ [1 − y f(x)]₊ + λ₁ |w|₁",
    "DrSVM": "w(f) ≠ 0 in min Σ [1 − y f(x)]₊ + λ₂ |w|² + λ₁ |w|₁, along the path in λ₁",
    "HHSVM": "w(f) ≠ 0 in min Σ φ(y f(x)) + λ₁ |w|₁ + λ₂ / 2 |w|², φ the hinge with its corner rounded",
    "SPCA": "Σ_k variance(k) v(f, k)², v the loadings of sparse principal components",
    "DistanceEntropy": "−Σ [ s ln s + (1 − s) ln(1 − s) ] over pairs of rows, s = exp(−α D)",
    "FeatureDependence": "mean over others i of Σᵥ P(i = v) Σᵤ [ P(u | i = v)² − P(u)² ]",
    "FeatureClustering": "Σ |ρ| with the features of its group",
    "CategoryUtility": "(1/K) Σₖ P(k) [ Σᵥ P(v | k)² − Σᵥ P(v)² ], or with 1/σ for numbers",
    "IPE": "importance(f) − max(percentile of contrasts, contrast of f) > 0 by a paired t-test; residuals; again",
    "ACE": "as IPE, less features with M(s, f) = Σ ΔI(s) λ(s | f) above that of contrasts for a better s",
    "LarsEN": "|β_f| of (1 + λ₂) argmin ‖y − Xβ‖² + λ₂ ‖β‖² + λ₁ ‖β‖₁, where the path over λ₁ is left",
    "Bridge": "|β_f| of argmin ‖y − Xβ‖² + λ Σ |β_j|^q",
    "SVMRanker": "drop the smallest ½ α'Hα − ½ α'H(−f)α (linear kernel: w(f)² / 2), and fit again",
    "RMRanker": "drop the smallest |∂‖w‖² / ∂s(f)|, s the scale of f, and fit again",
    "DMRanker": "drop the largest Σ_k y_k Σ_j α_j y_j K(x_j, x_k) with f at its mean, and fit again",
    "R2W2": "argmin over scales σ of R²W²(σ), by gradient descent",
    "TreeFilter": "f with a split in a tree that costs α per leaf; by the fall of the impurity",
    "FSSEM": "tr(S_w⁻¹ S_b) or likelihood of the clusters of S; S′ beats S if J(S′, C′) J(S, C′) > J(S, C) J(S′, C)",
    "FeatureSaliency": "ρ(f) in p(x) = Σⱼ αⱼ Π_f [ρ(f) N(x; μⱼ, σⱼ²) + (1 − ρ(f)) N(x; λ)], by message length",
    "TermLikelihood": "ln P(counts | f useful, clusters) − ln P(counts | f noise, clusters), parameters integrated out",
    "TextScore": "|Φ⁻¹(tp/(tp+fn)) − Φ⁻¹(fp/(fp+tn))|, or another score of documents by class",
    "PIP": "ln odds of Σₖ P(k) l₀/(l₀ + l), l₀ = Π B(n_F + α, n − n_F + β)/B(α, β) per side of the class, l of all",
    "PIPPoisson": "the same with m(S, n) = Γ(S + α) / (Γ(α) β^α) · (β / (nβ + 1))^(S + α), S times in n documents",
    "SpreadFx": "1 / place, the classes naming their best in turns",
    "TopDownTextScore": "the best of TextScore at every node of a tree of classes",
    "AggressiveTerms": "the tenth of highest I(f; y), less f that some s covers: largest Φ(f, s) n(f, s) / n(f)",
    "TextSearch": "argmin of errors over generator × score × size × parameters, all folds, given up at the best so far",
    "PoissonNB": "argmax_k ln P_k + Σⱼ (xⱼ ln λ_kj − λ_kj), λ_kj = (N_kj + α) / (n_k + 1/β)",
    "Rocchio": "argmax_k cos(d, c_k), c_k = β mean of d/‖d‖ inside k − γ mean of d/‖d‖ outside",
    "TextValues": "[tf > 0], tf, or tf ln((M + 1) / (df + 1)); rows / ‖row‖",
    "Words": "runs of letters, or letters and digits",
    "Phrases": "m words that follow each other, stop words left out",
    "CharacterNgrams": "L − n + 1 runs of n characters",
    "SurfaceProperties": "lengths, lines, fractions of symbols, white space, digits, capitals",
    "TextFields": "terms of every field, field/term",
    "TwoPassTerms": "∪ over folds of the best terms by n(fold, class, term) of the other folds",
    "RedundancyTree": "Φ(f, s) n(f, s) / n(f), the fraction of f that s covers",
    "DecisionBoundary": "eigenvectors of Σ = ∫ N Nᵀ p / ∫ p over the border, N unit normals; pairs by Pᵢ Pⱼ",
    "SVMDecisionBoundary": "eigenvectors of the mean of N Nᵀ, N = ∇h / |∇h|, from the rows with smallest |h|",
    "BVQ": "m ← m ∓ γₖ s / |mᵢ − mⱼ| (m − t′) for rows within Δ / 2 of a border, s = b(u, lⱼ) − b(u, lᵢ)",
    "BVQFE": "eigenvectors of Σ Pᵢ Pⱼ w N Nᵀ over pieces of border, N = (m_k − m_z) / |m_k − m_z|",
    "CanonicalAnalysis": "eigenvectors of S_w⁻¹ S_b",
    "LaplacianScore": "2 − f̃ᵀ L f̃ / f̃ᵀ D f̃ on a graph of near rows, L = D − S",
    "SPEC": "2 − f̂ᵀ 𝓛 f̂, the same without its constant part, or Σⱼ (2 − λⱼ) (f̂ᵀ ξⱼ)²",
    "UnlabelledRecipe": "hygiene, 2 − f̃ᵀ L f̃ / f̃ᵀ D f̃ on the graph of the other features, chance by shuffles, gap",
    "MCFS": "max_k |a_{kj}|, a_k least angle regression of the k-th smooth function of the graph",
}

HEAD = """\
# Methods

This page is made from the registry and from the tags of the methods when the site is built. `fewer methods` and
`fewer.catalog()` print the same list, `fewer describe NAME` says more about one method.

What the columns mean: **task** is the kind of target (`any`: classes or numbers; `none`: no target); **missing**,
**nominal**, **sparse** and **weights** say whether the method takes missing values, nominal columns, sparse matrices
and sample weights (*count rows*: a row of weight 2 is exactly the same row twice); **streams** says whether it also
runs on files larger than memory and on Dask; **p-values** says whether rules such as `fdr:0.05` can cut its ranking;
**unchanged by** lists changes of a feature that do not change the result under default parameters; **work** is the
order of the cost for n rows and d features.

Sources: *book* is H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, by chapter and
section; *microarray* is E. P. Xing, "Feature selection in microarray analysis", 2003; *literature* is named in the
reference of the method. What the sources name and this library leaves out is [listed with reasons](left_out.md).
"""

NOTATION = {
    "univariate": """\
One score per feature, larger is better. Notation: F is the feature, Y the target; j runs over the levels of F, c over
the C classes; p are fractions of the N rows, n(j, c) counts, H entropies in nats; n_c, m_c and v_c are rows, mean and
variance of F in class c (divided by n_c in `FTest` and `FisherScore`, by n_c − 1 in `TTest`, `WelchTest` and
`SignalToNoise`), m is the mean of all rows; s² is the variance of a numeric target, sⱼ² that at level j; R_c is the
sum of ranks in class c, U = R₁ − n₁ (n₁ + 1) / 2; w and f are weights and densities of two Gaussians fitted to F.
""",
    "information": """\
Features are chosen one by one, the first by I(f; y); the table says what is maximised from the second on. Notation: f
is a candidate, s and t run over the chosen features S, y is the target; I is mutual information and H entropy in nats,
G the Gini gain.
""",
    "rank_order": """\
What matters in a row is the order of its features, not their values; features leave one by one.
""",
    "relief": """\
Features in which rows differ from near rows of other classes, but not from near rows of their own. Notation: f is the
feature; hits are near rows of the same class, misses near rows of others; p_c is the fraction of class c, p that of the
row's own; z_m and z_h are the differences from the nearest miss and hit, γ_n the trust in row n, π_n its part of ν.
""",
    "ordinal": """\
Classes are ordered, and features should rise with them. Notation: NM and NH are nearest misses and hits below (−) and
above (+) a row; A and B are the rows at least as large in the feature and in the class.
""",
    "wrappers": """\
Searches through subsets of features. Notation: S is a subset and f a feature; J(S) is what S is worth, the
cross-validated score of an estimator or a criterion without one.
""",
    "prototypes": """\
Few rows, and few features, that serve the nearest-neighbour rule as well as all.
""",
    "redundancy": """\
What makes a feature redundant, and to which other feature. Notation: f and s are features, y is the target; SU is
symmetrical uncertainty, I mutual information, r correlation, n(f) the rows that have f, Φ the normalised information of
a pair.
""",
}

INVARIANCE = {
    "scale": "units, origin",
    "scale_untied": "units, origin (no ties)",
    "monotone": "increasing maps",
    "monotone_together": "one increasing map of all",
    "rotation": "rotations",
}


def page() -> str:
    """Return the page: one table of all methods, then what contracts offer, and the formulas of each family."""
    parts = [HEAD, "## All methods\n", _table(_capabilities(entry) for entry in registry.METHODS)]
    parts += ["## Contracts\n", _table(_offer(contract) for contract in CONTRACTS.values() if contract.base)]
    parts += ["## Targets\n", _table(_target(kind) for kind in KINDS)]
    for family in registry.FAMILIES:
        formulas = _table(_formula(entry) for entry in registry.METHODS if entry.family == family)
        parts += [f"## Family: {family}\n", NOTATION.get(family, ""), formulas]
        parts.append(f"Parameters and examples: [the names of the family](reference/{family}.md), a page each.\n")
    return "\n".join(part for part in parts if part)


def _capabilities(entry: registry.Entry) -> dict[str, str]:
    tags = registry.load(entry.name).method_tags
    unchanged = [INVARIANCE[name] for name in tags.invariance if name in INVARIANCE]
    return {
        "name": f"`{entry.name}`",
        "family": entry.family,
        "contract": entry.contract,
        "target": in_words(tags.targets) + (", two classes" if tags.binary_only else ""),
        "missing": _mark(tags.handles_nan),
        "nominal": _mark(tags.handles_nominal),
        "sparse": _mark(tags.handles_sparse),
        "weights": "count rows" if tags.weights_count_rows else _mark(tags.handles_weights),
        "streams": _mark(tags.streams),
        "p-values": _p_values(entry),
        "unchanged by": "; ".join(unchanged),
        "work": tags.cost.replace("*", " "),
        "source": entry.source,
    }


def _offer(contract: Contract) -> dict[str, str]:
    return {
        "contract": contract.name,
        "a fitted one answers": ", ".join(f"`{name}`" for name in contract.answers),
        "and holds": ", ".join(f"`{name}`" for name in contract.learns),
        "taken by name in": ", ".join(f"`{name}`" for name in contract.commands),
    }


def _target(kind: TargetKind) -> dict[str, str]:
    takers = [entry.name for entry in registry.METHODS if kind.name in registry.load(entry.name).method_tags.targets]
    return {"kind": kind.name, "y holds": kind.words, "methods": str(len(takers) or "none so far"), "else": kind.advice}


def _p_values(entry: registry.Entry) -> str:
    if entry.name == "ScoreSelector":
        return "by score"
    criterion = getattr(registry.load(entry.name), "criterion", None)
    return _mark(getattr(criterion, "has_pvalues", False))


def _formula(entry: registry.Entry) -> dict[str, str]:
    made = registry.load(entry.name)
    formula = FORMULAS.get(entry.name) or _first_formula(made)
    summary = described(made).summary
    shown = f"`{formula}`" if formula else summary
    reads = "levels" if "discretizer" in inspect.signature(made).parameters else "numbers"
    return {"name": f"`{entry.name}`", "score": shown, "reads": reads, "in words": summary}


def _first_formula(made: Any) -> str:
    found = re.search(r":math:`([^`]*)`", made.__doc__ or "")
    return plain_math(" ".join(found.group(1).split())) if found else ""


def _mark(yes: bool) -> str:
    return "yes" if yes else "–"


def _table(rows: Any) -> str:
    """Return rows, all with the same keys, as a Markdown table."""
    rows = list(rows)
    lines = [list(rows[0]), ["---"] * len(rows[0]), *(list(row.values()) for row in rows)]
    return "".join(f"| {' | '.join(cell.replace('|', _BAR) for cell in line)} |\n" for line in lines)


# A bar inside a cell would end it; this letter looks the same and is also right inside code.
_BAR = "∣"


def write() -> None:
    """Write the page if it would change, so that a server that watches the folder comes to rest."""
    text = page()
    if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    import build_reference

    write()
    build_reference.write()
